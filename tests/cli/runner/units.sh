# The unit runner: a failed assertion, a crash, an early end and a program that tests nothing are failures.
pkg-config --exists cmocka 2>/dev/null || { echo 'libcmocka-dev is not installed'; exit 77; }
cat >program.c <<'END'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void passes(void **state)
{
	(void)state;
}

static void skips(void **state)
{
	(void)state;
	skip();
}

static void varies(void **state)
{
	(void)state;
	BODY;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(passes), cmocka_unit_test(skips), cmocka_unit_test(varies)};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
END
build() {
	cc -w -D"BODY=$2" -o "$1" program.c -lcmocka
}
build './is well' 'assert_int_equal(1, 1)'
build ./fails 'assert_int_equal(1, 2)'
build ./crashes '*(volatile int *)0 = 1'
build ./ends_early '_Exit(0)'
cat >speaks_at_exit <<'END'
#!/bin/sh
'./is well'
exit 99
END
chmod +x speaks_at_exit
printf '#!/bin/sh\n' >tests_nothing
chmod +x tests_nothing
"$REPO/tests/unit/run" './is well' ./fails ./crashes ./ends_early ./speaks_at_exit ./tests_nothing | grep -v '^	'
echo "exit code ${PIPESTATUS[0]}"

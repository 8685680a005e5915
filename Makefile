# Targets: all test asan fuzz bench ae install dist clean. Needs a C11 compiler, pkg-config and the libraries named in PKGS.
# Reviewers need no more than ./scripts/ae and ./scripts/test, which install what is missing and then call this file.
.SUFFIXES:
.DELETE_ON_ERROR:

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
BUILD   ?= build
CFLAGS  ?= -O2 -g

PKGS     := libcrypto libarchive libcjson sqlite3
PKG_OK   := $(shell pkg-config --exists $(PKGS) && echo yes)
ifneq ($(filter-out clean dist,$(or $(MAKECMDGOALS),all)),)
ifneq ($(PKG_OK),yes)
$(error some of these libraries are missing: $(PKGS). Run ./scripts/setup, which installs them)
endif
endif

# -ffp-contract=off: derived numbers must not depend on whether the machine fuses multiply and add.
STRICT   := -std=c11 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror -ffp-contract=off
DEFINES  := -D_GNU_SOURCE -DPTXSEAL_VERSION='"$(VERSION)"'
PREFIXMAP := -ffile-prefix-map="$$PWD"=.
ALL_CFLAGS := $(STRICT) $(DEFINES) $(PREFIXMAP) -I$(BUILD)/gen $(shell pkg-config --cflags $(PKGS)) $(CFLAGS) -MMD -MP
LIBS     := $(shell pkg-config --libs $(PKGS)) -lm -pthread

# Everything but main.c is the library that tests and fuzz targets link too.
LIB_SRC  := $(sort $(wildcard runner/*/*.c))
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o)
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)

all: $(BUILD)/ptxseal

$(BUILD)/ptxseal: $(BUILD)/runner/main.o $(BUILD)/libptxseal.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)

$(BUILD)/libptxseal.a: $(LIB_OBJ)
	@rm -f $@
	ar rcD $@ $^

# The schema as C string literals, a line each.
$(BUILD)/gen/schema.inc: runner/derive/schema.sql
	@mkdir -p $(@D)
	sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< > $@

$(BUILD)/runner/derive/database.o: $(BUILD)/gen/schema.inc

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libptxseal.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Irunner $(shell pkg-config --cflags cmocka) -o $@ $< $(BUILD)/libptxseal.a $(LDFLAGS) $(LIBS) $(shell pkg-config --libs cmocka)

# The reviewer's and the tester's command, for whoever has make.
ae:
	./scripts/ae

test:
	./scripts/test

# The figures of docs/benchmarks.md; takes minutes and up to 5 GiB of scratch space in build/bench.
bench: $(BUILD)/ptxseal
	tests/bench/run

# What scripts/test builds and hands to tests/unit/run.
list-units:
	@:$(foreach unit,$(UNIT_BIN), && echo $(unit))

install: $(BUILD)/ptxseal
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/doc/ptxseal"
	install -m 755 $(BUILD)/ptxseal "$(DESTDIR)$(PREFIX)/bin/ptxseal"
	install -m 644 docs/ptxseal.1 "$(DESTDIR)$(PREFIX)/share/man/man1/ptxseal.1"
	install -m 644 LICENSE NOTICE README.md "$(DESTDIR)$(PREFIX)/share/doc/ptxseal"

# A tarball that is a function of the commit alone: git archive sorts, and takes the owner and the time from the commit.
# The bundle and its signatures are in it. What is not committed would be left out without a word, so that is refused.
DIST := ptxseal-$(VERSION)
dist:
	@git rev-parse --verify -q HEAD >/dev/null || { echo 'make dist: not a git checkout' >&2; exit 4; }
	@test -z "$$(git status --porcelain)" || { echo 'make dist: commit your changes first (git status)' >&2; exit 3; }
	@mkdir -p dist
	git -c tar.umask=0022 archive --format=tar --prefix=$(DIST)/ HEAD >dist/$(DIST).tar
	gzip -9 -n -f dist/$(DIST).tar

# The units alone; then every test again in a build that stops at the first bad access, undefined step or leak, with an exit
# code that no case expects; then libFuzzer's targets, each for FUZZ_SECONDS on our corpus, what it finds kept in build/fuzz.
FUZZ_SECONDS ?= 60
FUZZ_CC      ?= clang
SANITIZE     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZE_ENV := ASAN_OPTIONS=exitcode=99:detect_leaks=1 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
FUZZ_BIN     := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

test-unit: $(UNIT_BIN)
	tests/unit/run $(UNIT_BIN)

test-all: all $(UNIT_BIN)
	status=0; tests/unit/run $(UNIT_BIN) || status=1; \
	PTXSEAL=$(BUILD)/ptxseal tests/cli/run || status=1; exit $$status

asan:
	$(SANITIZE_ENV) $(MAKE) BUILD=build/asan CFLAGS='$(SANITIZE)' test-all

fuzz:
	$(MAKE) BUILD=build/fuzz CC='$(FUZZ_CC)' CFLAGS='$(SANITIZE) -fsanitize=fuzzer-no-link' fuzz-all

fuzz-all: $(FUZZ_BIN)
	@for target in $(FUZZ_BIN); do \
		noun=$${target##*/fuzz_}; log=$(BUILD)/$$noun.log; mkdir -p $(BUILD)/corpus/$$noun; \
		$(SANITIZE_ENV) $$target -max_total_time=$(FUZZ_SECONDS) -timeout=10 -print_final_stats=1 \
			-artifact_prefix=$(BUILD)/$$noun- $(BUILD)/corpus/$$noun tests/fuzz/corpus/$$noun 2>$$log || \
			{ tail -n 60 $$log; echo "FAIL fuzz/$$noun"; exit 1; }; \
		echo "PASS fuzz/$$noun: $$(awk '/number_of_executed_units/ {print $$2}' $$log) inputs in $(FUZZ_SECONDS) s"; \
	done

$(BUILD)/tests/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/libptxseal.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -Irunner -o $@ $< $(BUILD)/libptxseal.a $(LDFLAGS) $(LIBS)

.PHONY: test-unit test-all asan fuzz fuzz-all

clean:
	rm -rf $(BUILD)

.PHONY: all ae test bench list-units install dist clean
-include $(LIB_OBJ:.o=.d) $(BUILD)/runner/main.d $(UNIT_BIN:=.d) $(FUZZ_BIN:=.d)

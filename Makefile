# Targets: all test test-server gpu-tests portable asan fuzz bench soak ae install dist clean. Needs a C11 compiler, pkg-config and the libraries named in PKGS.
# Reviewers need no more than ./scripts/ae and ./scripts/test, which install what is missing and then call this file.
.SUFFIXES:
.DELETE_ON_ERROR:

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
BUILD   ?= build
CFLAGS  ?= -O2 -g

PKGS     := libcrypto libarchive libzstd libcjson libcurl libmicrohttpd sqlite3 expat
PKG_OK   := $(shell pkg-config --exists $(PKGS) && echo yes)
ifneq ($(filter-out clean dist,$(or $(MAKECMDGOALS),all)),)
ifneq ($(PKG_OK),yes)
$(error some of these libraries are missing: $(PKGS). Run ./scripts/setup, which installs them)
endif
endif

# The CUDA toolkit, found through nvcc in CUDA_HOME or on PATH (NVCC= builds without it). Only its headers and its compiler are used: nothing
# here links to a library of NVIDIA's. Without it, what sees its headers, directly or through headers of ours, is left out.
# A toolkit that is too old or lacks a header counts as none; CUDA_LACKS says what of it is missing.
NVCC ?= $(or $(if $(CUDA_HOME),$(wildcard $(CUDA_HOME)/bin/nvcc)),$(shell command -v nvcc))
CUDA_ROOT := $(if $(NVCC),$(abspath $(dir $(realpath $(shell command -v $(NVCC))))/..))
CUDA_INCLUDE := $(foreach dir,include extras/CUPTI/include,$(addprefix -isystem ,$(wildcard $(CUDA_ROOT)/$(dir))))
HASH := \#
CUDA_LACKS := $(if $(CUDA_ROOT),$(if $(shell command -v g++),$(shell \
	printf '$(HASH)%s\n' 'include <cuda.h>' 'include <cublasLt.h>' 'include <cudnn.h>' 'include <cupti.h>' \
		'if CUDA_VERSION < 12090' 'error CUDA 12.9 or newer is needed' 'endif' | \
	$(CC) -E -x c $(CUDA_INCLUDE) - 2>&1 >/dev/null | sed -n 's/.*error: \($(HASH)error *\)*//p' | head -n 1),no g++ for nvcc),no nvcc in CUDA_HOME or on PATH)
CUDA := $(if $(CUDA_LACKS),,$(CUDA_ROOT))
SEES_CUDA := $(if $(CUDA),,$(shell awk -f runner/measure/sees_cuda.awk runner/measure/*.[ch]))
CUDA_CFLAGS := $(if $(CUDA),-DPTXSEAL_CUDA $(CUDA_INCLUDE))

# -ffp-contract=off: derived numbers must not depend on whether the machine fuses multiply and add.
STRICT   := -std=c11 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror -ffp-contract=off
DEFINES  := -D_GNU_SOURCE -DPTXSEAL_VERSION='"$(VERSION)"'
PREFIXMAP := -ffile-prefix-map="$$PWD"=.
ALL_CFLAGS := $(STRICT) $(DEFINES) $(PREFIXMAP) -I$(BUILD)/gen $(shell pkg-config --cflags $(PKGS)) $(CUDA_CFLAGS) $(CFLAGS) -MMD -MP
# --as-needed: a test that asks no endpoint needs no libcurl where it is carried to.
LIBS     := -Wl,--as-needed $(shell pkg-config --libs $(PKGS)) -lm -pthread

# Everything but main.c is the library that tests and fuzz targets link too.
LIB_SRC  := $(filter-out $(SEES_CUDA),$(sort $(wildcard runner/*/*.c)))
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o)
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)

all: $(BUILD)/ptxseal

$(BUILD)/ptxseal: $(BUILD)/runner/main.o $(BUILD)/libptxseal.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)
	@$(if $(CUDA),,echo 'built without CUDA ($(CUDA_LACKS)): what needs a GPU is left out' >&2)

$(BUILD)/libptxseal.a: $(LIB_OBJ)
	@rm -f $@
	ar rcD $@ $(LIB_OBJ)

# Objects, and what the archive holds, differ with and without CUDA. The stamp is renewed while this file is read, and only when that changes: a second make has
# nothing to do.
ifneq ($(filter-out clean dist,$(or $(MAKECMDGOALS),all)),)
$(shell mkdir -p $(BUILD)/gen; echo '$(CUDA)' | cmp -s - $(BUILD)/gen/cuda || echo '$(CUDA)' >$(BUILD)/gen/cuda)
endif
$(LIB_OBJ) $(BUILD)/runner/main.o $(BUILD)/libptxseal.a: $(BUILD)/gen/cuda

# The schema as C string literals, a line each.
$(BUILD)/gen/schema.inc: runner/derive/schema.sql
	@mkdir -p $(@D)
	sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< > $@

$(BUILD)/runner/derive/database.o: $(BUILD)/gen/schema.inc

# Styles and script of the report's pages, in the same way.
$(BUILD)/gen/%.inc: runner/report/%
	@mkdir -p $(@D)
	sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< > $@

$(BUILD)/runner/report/page.o: $(BUILD)/gen/report.css.inc $(BUILD)/gen/figure.css.inc $(BUILD)/gen/report.js.inc
$(BUILD)/runner/report/kernel_page.o: $(BUILD)/gen/kernel.css.inc

# A clock that stands still, for gnuplot's PDF (runner/report/still), as bytes.
$(BUILD)/gen/still.so: runner/report/still/time.c
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(DEFINES) $(PREFIXMAP) -O2 -fPIC -fvisibility=hidden -shared -nostdlib -s -Wl,-z,defs,-z,noseparate-code,--build-id=none -o $@ $<

$(BUILD)/gen/still.inc: $(BUILD)/gen/still.so
	od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' > $@

$(BUILD)/runner/report/gnuplot.o: $(BUILD)/gen/still.inc

# Our own kernels as bytes: machine code for sm_90, PTX for what is newer. No contraction: inputs must have the CPU's bytes (support.cu).
SUPPORT := runner/measure/support.cu $(addprefix runner/measure/,dtype.h philox.h philox_core.h support_layout.h)
$(BUILD)/gen/support.fatbin: $(SUPPORT) $(BUILD)/gen/cuda
	@mkdir -p $(@D)
	$(NVCC) -std=c++17 -O3 --fmad=false -fatbin -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 -o $@ $<

$(BUILD)/gen/support.inc: $(BUILD)/gen/support.fatbin
	od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' > $@

$(BUILD)/runner/measure/support.o: $(BUILD)/gen/support.inc

# What stands in for CUDA where host code is recorded (runner/measure/recorder), as bytes too: it is loaded in that one process, and nothing else is to find its names.
RECORDER := $(sort $(wildcard runner/measure/recorder/*.c))
$(BUILD)/gen/recorder.so: $(RECORDER) $(wildcard runner/measure/recorder/*.h) $(BUILD)/gen/cuda
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(DEFINES) $(PREFIXMAP) $(CUDA_CFLAGS) -O2 -fPIC -fvisibility=hidden -shared -Wl,-z,defs -o $@ $(RECORDER)

$(BUILD)/gen/recorder.inc: $(BUILD)/gen/recorder.so
	od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g' > $@

$(BUILD)/runner/measure/capture_serve.o: $(BUILD)/gen/recorder.inc

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libptxseal.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Irunner $(shell pkg-config --cflags cmocka) -o $@ $< $(BUILD)/libptxseal.a $(LDFLAGS) $(LIBS) $(shell pkg-config --libs cmocka)

# Stand-ins for libraries of NVIDIA's, with which workers are tested where there is no GPU.
STAND_INS := $(if $(CUDA),$(BUILD)/stand-in/libcuda.so.1 $(BUILD)/stand-in/libcublasLt.so.13 $(BUILD)/stand-in/counts/libcupti.so.13)
$(BUILD)/stand-in/libcuda.so.1: $(addprefix tests/stand-in/,libcuda.c candidates.c product.c device.h product.h stand_in.h) runner/measure/philox.c runner/measure/dtype.c \
	runner/measure/support_layout.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -Irunner -fPIC -fvisibility=hidden -shared -o $@ $(filter %.c,$^) $(LDFLAGS) -lm

# In a folder of its own: what is tested without counts finds none.
$(BUILD)/stand-in/counts/libcupti.so.13: tests/stand-in/libcupti.c tests/stand-in/stand_in.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -fPIC -fvisibility=hidden -shared -o $@ $< $(LDFLAGS)

$(BUILD)/stand-in/libcublasLt.so.13: tests/stand-in/libcublasLt.c tests/stand-in/stand_in.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -fPIC -fvisibility=hidden -shared -o $@ $< $(LDFLAGS)

$(UNIT_BIN): | $(STAND_INS)

# The reviewer's and the tester's command, for whoever has make.
ae:
	./scripts/ae

test:
	./scripts/test

# Tests that need a GPU: each exits 77 where there is none. Built only with CUDA. The folder can be carried to a GPU machine without our libraries.
GPU_SRC := $(if $(CUDA),$(sort $(wildcard tests/gpu/test_*.c)))
GPU_BIN := $(GPU_SRC:tests/gpu/%.c=$(BUILD)/gpu/%)

gpu-tests: $(GPU_BIN)
	@$(if $(CUDA),,echo 'make gpu-tests: $(CUDA_LACKS)' >&2; exit 4)
	@ldd $(GPU_BIN) | awk '$$1 ~ /^lib(cjson|crypto)[.]/ && $$3 !~ "/gpu/" {print $$3}' | sort -u | xargs -r cp -L -t $(BUILD)/gpu

$(BUILD)/gpu/%: tests/gpu/%.c $(BUILD)/libptxseal.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Irunner -o $@ $< $(BUILD)/libptxseal.a -Wl,-rpath,'$$ORIGIN' $(LDFLAGS) $(LIBS)

# The figures of docs/benchmarks.md; takes minutes and up to 5 GiB of scratch space in build/bench.
bench: $(BUILD)/ptxseal
	tests/bench/run

$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libptxseal.a
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) -Irunner -o $@ $< $(BUILD)/libptxseal.a $(LDFLAGS) $(LIBS)

# Commands killed at random moments and run again; takes minutes.
soak: $(BUILD)/ptxseal
	tests/soak/run

# A folder that runs on hosts without our libraries: the program, and in lib/ beside it every library it links but the C library's own. glibc there has to be as
# new as here. RPATH and not RUNPATH, for the libraries' own libraries are looked for in it too.
PORTABLE := $(BUILD)/portable
portable: $(PORTABLE)/ptxseal
	@$(if $(CUDA),,echo 'make portable: this one cannot replay: $(CUDA_LACKS)' >&2)
$(PORTABLE)/ptxseal: $(BUILD)/runner/main.o $(BUILD)/libptxseal.a
	rm -rf $(PORTABLE)
	mkdir -p $(PORTABLE)/lib
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS)
	ldd $@ | awk '$$2 == "=>" && $$1 !~ /^(libc|libm|libpthread|libdl|librt|libresolv|ld-linux.*)[.]so/ {print $$3}' | xargs cp -L -t $(PORTABLE)/lib
	$(CC) $(CFLAGS) -o $@ $^ $(LDFLAGS) $(LIBS) -Wl,-rpath,'$$ORIGIN/lib' -Wl,--disable-new-dtags
	strip $@ $(PORTABLE)/lib/*

# Against llama.cpp's own server, which llama-cpp-python builds from source: minutes, once, and cmake and a C++ compiler. Where build/server is, `make test` uses it too.
SERVER := $(BUILD)/server
SERVER_FLAGS := -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF -DMTMD_BUILD=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
	-DLLAMA_BUILD_TOOLS=OFF -DLLAMA_CURL=OFF -DCMAKE_BUILD_TYPE=Release
test-server: $(SERVER)/installed.txt $(BUILD)/tests/test_server $(BUILD)/ptxseal
	tests/unit/run $(BUILD)/tests/test_server
	tests/cli/run query/real_server

$(SERVER)/installed.txt: tests/servers/requirements.txt
	python3 -m venv --clear $(SERVER)
	CMAKE_ARGS='$(SERVER_FLAGS)' $(SERVER)/bin/python -m pip install --disable-pip-version-check --no-input --no-deps -r $< >$(BUILD)/server.log 2>&1 || \
		{ tail -n 5 $(BUILD)/server.log >&2; rm -rf $(SERVER); exit 4; }
	cp $< $@

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
	@total=0; for target in $(FUZZ_BIN); do \
		noun=$${target##*/fuzz_}; log=$(BUILD)/$$noun.log; mkdir -p $(BUILD)/corpus/$$noun; \
		$(SANITIZE_ENV) $$target -max_total_time=$(FUZZ_SECONDS) -timeout=10 -print_final_stats=1 \
			-artifact_prefix=$(BUILD)/$$noun- $(BUILD)/corpus/$$noun tests/fuzz/corpus/$$noun 2>$$log || \
			{ tail -n 60 $$log; echo "FAIL fuzz/$$noun"; exit 1; }; \
		inputs=$$(awk '/number_of_executed_units/ {print $$2}' $$log); total=$$((total + inputs)); \
		echo "PASS fuzz/$$noun: $$inputs inputs in $(FUZZ_SECONDS) s"; \
	done; echo "$$total inputs, $(words $(FUZZ_BIN)) targets of $(FUZZ_SECONDS) s; none crashed"

$(BUILD)/tests/fuzz_%: tests/fuzz/fuzz_%.c $(BUILD)/libptxseal.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -Irunner -o $@ $< $(BUILD)/libptxseal.a $(LDFLAGS) $(LIBS)

.PHONY: test-unit test-all asan fuzz fuzz-all

clean:
	rm -rf $(BUILD)

.PHONY: all ae test test-server bench soak list-units gpu-tests portable install dist clean
-include $(LIB_OBJ:.o=.d) $(BUILD)/runner/main.d $(UNIT_BIN:=.d) $(FUZZ_BIN:=.d) $(GPU_BIN:=.d)

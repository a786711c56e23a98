# lilyq: build, test and install. `make help` lists the targets.

VERSION := $(shell sed -n 's/^\#define LILYQ_VERSION "\(.*\)"/\1/p' lib/lilyq.h)
SOVERSION := 0

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
CFLAGS ?= -O2 -g
V ?= 0
PKG_CONFIG ?= pkg-config

bindir = $(PREFIX)/bin
libdir = $(PREFIX)/lib
includedir = $(PREFIX)/include
mandir = $(PREFIX)/share/man
datadir = $(PREFIX)/share

DEPS := inih jansson librabbitmq openssl
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wcast-qual -Wundef \
	-Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wswitch-enum
override CPPFLAGS += -Ilib -D_POSIX_C_SOURCE=200809L
override CFLAGS += -std=c11 -fPIC -fvisibility=hidden $(WARNINGS) $(SANITIZE)
override LDFLAGS += $(SANITIZE)
DEP_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(DEPS) 2>/dev/null)
DEP_LIBS := $(shell $(PKG_CONFIG) --libs $(DEPS) 2>/dev/null)

LIB_SOURCES := $(wildcard lib/*.c lib/*/*.c)
CLI_SOURCES := $(wildcard cli/*.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/obj/%.o)

# Unit tests: the pure ones (base, topology) link no third-party library.
PURE_TESTS := $(wildcard tests/unit/base/test_*.c tests/unit/topology/test_*.c)
LINKED_TESTS := $(filter-out $(PURE_TESTS),$(wildcard tests/unit/*/test_*.c))
PURE_BINARIES := $(PURE_TESTS:%.c=$(BUILD)/%)
LINKED_BINARIES := $(LINKED_TESTS:%.c=$(BUILD)/%)
UNIT_BINARIES := $(PURE_BINARIES) $(LINKED_BINARIES)

ifeq ($(V),0)
say = @printf '%-7s %s\n' '$(1)' '$(2)';
else
say =
endif

.DELETE_ON_ERROR:
.PHONY: all check clean units

all: $(BUILD)/lilyq

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(DEP_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/liblilyq.a: $(LIB_OBJECTS)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/lilyq: $(CLI_OBJECTS) $(BUILD)/liblilyq.a
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(DEP_LIBS) -lm

$(PURE_BINARIES): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm

$(LINKED_BINARIES): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(DEP_LIBS) -lm

units: $(UNIT_BINARIES)

SCRIPTS := $(wildcard tests/cli/*.t tests/api/*.t tests/broker/*.t)

check: all units
	tests/run -j2 BUILD=$(BUILD) $(UNIT_BINARIES) $(SCRIPTS)

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

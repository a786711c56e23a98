# lilyq: build, test and install. `make help` lists the targets.

VERSION := $(shell sed -n 's/^\#define LILYQ_VERSION "\(.*\)"/\1/p' lib/lilyq.h)
SOVERSION := 0

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
JOBS ?= $(shell nproc)
V ?= 0

DEPS := inih librabbitmq openssl libpcre2-8
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wcast-qual -Wundef \
	-Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wswitch-enum
override CPPFLAGS += -Ilib -D_POSIX_C_SOURCE=200809L
override CFLAGS += -std=c11 -fPIC -fvisibility=hidden $(WARNINGS) $(SANITIZE)
override LDFLAGS += $(SANITIZE)
# libcurl is loaded when it is needed, not linked: see lib/broker/management_curl.h
DEP_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(DEPS) libcurl 2>/dev/null)
DEP_LIBS := $(shell $(PKG_CONFIG) --libs $(DEPS) 2>/dev/null)
# jansson is the tests' judge of what the library reads and writes.
TEST_LIBS := $(DEP_LIBS) $(shell $(PKG_CONFIG) --libs jansson 2>/dev/null)

LIB_SOURCES := $(wildcard lib/*.c lib/*/*.c lib/*/*/*.c)
CLI_SOURCES := $(wildcard cli/*.c cli/*/*.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
CLI_OBJECTS := $(CLI_SOURCES:%.c=$(BUILD)/obj/%.o)
SONAME := liblilyq.so.$(SOVERSION)
SHARED := liblilyq.so.$(VERSION)

ifeq ($(V),0)
say = @printf '%-7s %s\n' '$(1)' '$(2)';
MAKEFLAGS += --no-print-directory
else
say =
endif

.DELETE_ON_ERROR:
.PHONY: all clean demo help

PRODUCTS = $(addprefix $(BUILD)/,lilyq liblilyq.a liblilyq.so lilyq.pc)

all: $(PRODUCTS) ## build the program and both libraries

help: ## list the targets
	@echo 'Targets (V=1 shows the commands; BUILD, PREFIX, DESTDIR, CC, CFLAGS work):'
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/  \1\t\2/p' Makefile .mk/*.mk | \
		expand -t 18

demo: ## install what the build needs, build, plan the sample
	.mk/packages $(BUILD_PACKAGES)
	$(MAKE) -j$(JOBS) all
	.mk/demo $(BUILD)/lilyq

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(DEP_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/liblilyq.a: $(LIB_OBJECTS)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/$(SHARED): $(LIB_OBJECTS)
	$(call say,LINK,$@)$(CC) -shared -Wl,-soname,$(SONAME) \
		$(if $(SANITIZE),,-Wl,-z,defs) $(LDFLAGS) -o $@ $^ \
		$(DEP_LIBS) -lm

$(BUILD)/liblilyq.so: $(BUILD)/$(SHARED)
	@ln -sf $(SHARED) $(BUILD)/$(SONAME)
	@ln -sf $(SONAME) $@

$(BUILD)/lilyq: $(CLI_OBJECTS) $(BUILD)/liblilyq.a
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(DEP_LIBS) -lm

clean: ## remove the build directory
	rm -rf $(BUILD)

include .mk/packages.mk .mk/install.mk .mk/check.mk .mk/lint.mk .mk/fuzz.mk .mk/bench.mk

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# Installs into $(DESTDIR)$(PREFIX); uninstall removes the same files.

bindir = $(PREFIX)/bin
libdir = $(PREFIX)/lib
includedir = $(PREFIX)/include
datadir = $(PREFIX)/share
mandir = $(datadir)/man

MANUALS := $(wildcard man/*.[1357])
COMPLETIONS := $(addprefix $(BUILD)/completion/,bash zsh fish)
SCHEMAS := $(wildcard man/*.schema.json)

# mode:source:destination, for .mk/install
INSTALLED = \
	755:$(BUILD)/lilyq:$(bindir)/lilyq \
	644:$(BUILD)/liblilyq.a:$(libdir)/liblilyq.a \
	755:$(BUILD)/$(SHARED):$(libdir)/$(SHARED) \
	link:$(SHARED):$(libdir)/$(SONAME) \
	link:$(SONAME):$(libdir)/liblilyq.so \
	644:$(BUILD)/lilyq.pc:$(libdir)/pkgconfig/lilyq.pc \
	644:lib/lilyq.h:$(includedir)/lilyq.h \
	644:$(BUILD)/completion/bash:$(datadir)/bash-completion/completions/lilyq \
	644:$(BUILD)/completion/zsh:$(datadir)/zsh/site-functions/_lilyq \
	644:$(BUILD)/completion/fish:$(datadir)/fish/vendor_completions.d/lilyq.fish \
	$(foreach page,$(MANUALS),644:$(page):$(mandir)/man$(subst .,,$(suffix \
		$(page)))/$(notdir $(page))) \
	$(foreach schema,$(SCHEMAS),644:$(schema):$(datadir)/lilyq/$(notdir \
		$(schema)))

.PHONY: install uninstall FORCE

install: all $(COMPLETIONS) ## install below DESTDIR and PREFIX
	@.mk/install add '$(DESTDIR)' $(INSTALLED)

uninstall: ## remove what install put there
	@.mk/install remove '$(DESTDIR)' $(INSTALLED)
	@rmdir '$(DESTDIR)$(datadir)/lilyq' 2>/dev/null || true

$(BUILD)/completion/%: $(BUILD)/lilyq
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/lilyq completion $(@F) >$@

# Written anew only when its text changes, as PREFIX is not a file.
define PC_TEXT
prefix=$(PREFIX)
libdir=$(libdir)
includedir=$(includedir)

Name: lilyq
Description: plans and declares the v2 retry topology of RabbitMQ
Version: $(VERSION)
Requires.private: $(DEPS)
Libs: -L$${libdir} -llilyq
Libs.private: -lm
Cflags: -I$${includedir}
endef
export PC_TEXT

$(BUILD)/lilyq.pc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$PC_TEXT" | cmp -s - $@ || printf '%s\n' "$$PC_TEXT" >$@

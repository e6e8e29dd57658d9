# Set up and run everything: `make grade` grades the sample class, `make test` runs the tests.
# Each target makes what it needs in .venv; nothing is installed outside this folder.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready# what grading needs
TOOLS := .venv/.tools# and what developing does
PYTEST = $(BIN)/python -m pytest -n 2 --dist worksteal --junitxml=build/$@.xml

.PHONY: help grade release formgrader test proof pages nightly docs pictures browser firefox postgres uv audit benchmark \
    lint greens samples lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

grade: release ## grade the sample class: gradebook, autograded notebooks, feedback, grades.csv
	@$(BIN)/referee grade || test $$? -eq 1
	@$(BIN)/referee return
	@echo "Done: autograded/, feedback/, gradebook.db, grades.csv. Look at them: make formgrader"

release: $(READY) ## build release/, what students get, from source/
	@$(BIN)/referee release

formgrader: $(READY) ## open nbgrader's formgrader on the gradebook
	@test "$$(id -u)" != 0 || echo "You are root, and so is all that you run there: better be somebody else."
	$(BIN)/jupyter lab --ServerApp.default_url=/formgrader $$(test "$$(id -u)" != 0 || echo --allow-root)

test: $(TOOLS) browser postgres ## run the tests: all that a change can break in minutes
	$(PYTEST)

proof: $(TOOLS) uv ## prove the checks, the solver and the walls: judges what a change touches
	$(PYTEST) --timeout=3600 --dist loadfile -m "proof and not nightly"

pages: $(TOOLS) browser ## open the site, formgrader and notebooks in a browser (needs npm)
	$(PYTEST) --timeout=3600 --dist loadfile -m "pages and not nightly"

# Install a browser unless one of its commands is there: these, its name, and what does as well.
define needed
@for name in $(1); do command -v $$name && exit; done; \
	test "$$(id -u)" = 0 && command -v apt-get && apt-get update -qq && \
	apt-get install -qq -y --no-install-recommends $(firstword $(1)) || { \
	echo "The tests need $(2): apt-get install $(firstword $(1)), or install $(3)."; exit 1; }
endef

browser: # the tests open pages in Chromium or Chrome
	$(call needed,chromium chromium-browser google-chrome,Chromium,Chrome)

uv: $(READY) # a test installs what was built as its users do
	@test -x $(BIN)/uv || $(BIN)/pip install --quiet uv

firefox: # what reacts on the site is tried there as well
	$(call needed,firefox-esr firefox,Firefox,Firefox)

postgres: # the tests grade into a PostgreSQL server of their own
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb > /dev/null || { \
	    test "$$(id -u)" = 0 && command -v apt-get && apt-get update -qq && \
	    apt-get install -qq -y --no-install-recommends postgresql; } || { \
	    test -z "$$CI" && echo "Without PostgreSQL one test is skipped: apt-get install postgresql."; }

nightly: $(TOOLS) browser firefox postgres uv ## run the long forms of the tests, all judged anew (hours)
	NIGHTLY=1 $(PYTEST) --timeout=14400 -m "nightly or not pages"

audit: $(READY) ## judge the whole bank: do the checks catch every mistake? (minutes, the first time)
	@$(BIN)/referee audit

benchmark: $(TOOLS) ## set bare Python, stock nbgrader and the referee side by side (two minutes, alone)
	$(BIN)/python docs/benchmark.py

pictures: release $(TOOLS) browser ## make the screenshots of README and docs again (minutes)
	$(BIN)/python docs/screenshots.py

docs: $(TOOLS) ## build the site in build/site: lessons, guides, JupyterLite (needs npm)
	$(BIN)/python docs/build.py

lint: $(TOOLS) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy && cd engine && ../$(BIN)/mypy

greens: release ## list in docs/checks.md the mistakes of the bank that public checks do not catch
	PYTHONPATH=.:engine/referee/templates/student:engine/tests/tools $(BIN)/python tests/greens.py

samples: release ## make submitted/ again from the bank
	PYTHONPATH=.:tests:engine/tests/tools $(BIN)/python tests/sample_class.py submitted

LOCK = $(BIN)/uv pip compile --no-emit-package referee --universal --upgrade --generate-hashes --no-header --no-strip-extras --quiet
HEAD = '\# Made by `make lock` from pyproject.toml; install it with pip --require-hashes.'

lock: $(READY) uv ## choose versions again: for grading in engine/, for developing in tests/
	(echo $(HEAD) && $(LOCK) --extra dev --extra docs pyproject.toml) > requirements.new
	mv requirements.new tests/requirements.txt
	(echo $(HEAD) && $(LOCK) --constraint tests/requirements.txt --no-annotate engine/pyproject.toml) > requirements.new
	mv requirements.new engine/referee/requirements.txt

clean: ## delete what the set-up, the tests and the site have made: .venv, build
	rm -rf .venv build

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

$(READY): engine/referee/requirements.txt engine/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	    "This needs Python 3.11 or newer, not %d.%d; name one: make PYTHON=python3.12" % sys.version_info[:2])'
	@echo "Setting up .venv (a minute or two, once) ..."
	@$(PYTHON) -m venv .venv
	@$(INSTALL) --require-hashes -r engine/referee/requirements.txt
	@$(INSTALL) --no-deps --no-build-isolation -e engine
	@touch $@

$(TOOLS): $(READY) tests/requirements.txt
	@echo "Adding what the tests and the site need (a minute, once) ..."
	@$(INSTALL) --require-hashes -r tests/requirements.txt
	@touch $@

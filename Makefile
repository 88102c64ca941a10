# Every target makes the environment first; nothing is installed again while pyproject.toml stays as it is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LAB := $(VENV)/.lab
READY := $(VENV)/.ready
LITE := $(VENV)/lite
# How many tests run at once; tests/sharing.py says what auto means.
WORKERS ?= auto
# JupyterLab refuses to run as root, which is what containers do, unless told.
ROOT_OK := $(if $(filter 0,$(shell id -u)),--allow-root)
# JupyterLab would ask at first whether it may fetch its news; here it does not, and its settings can still say otherwise.
QUIET := '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}'
# What JupyterLab shows at first, kept apart from the user's own workspaces.
WORKSPACES := JUPYTERLAB_WORKSPACES_DIR=$(CURDIR)/$(VENV)/workspaces

.DEFAULT_GOAL := help
.PHONY: help setup lab test lint docs demo bench bench-engine bench-strength bench-peers bench-plan bench-workers pictures screenshots notebooks lite clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# The notebooks need less than the tests do, so that the first board is soon there.
$(LAB): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "aquakit needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[lab]'
	mkdir -p $(VENV)/share/jupyter/lab/settings
	echo $(QUIET) > $(VENV)/share/jupyter/lab/settings/overrides.json
	touch $(LAB)

$(READY): $(LAB)
	$(BIN)/python -m pip install --quiet --editable '.[lab,test,docs,cluster,openspiel]'
	$(BIN)/aquakit warm
	touch $(READY)

setup: $(READY)  ## make the environment in .venv and compile the engine

# Boards need nothing compiled, so the engine is compiled meanwhile.
lab: $(LAB)  ## open JupyterLab on the welcome notebook
	$(WORKSPACES) $(BIN)/jupyter lab workspaces import notebooks/lab.json
	nice $(BIN)/aquakit warm >/dev/null 2>&1 &
	$(WORKSPACES) $(BIN)/jupyter lab $(ROOT_OK) --ServerApp.root_dir=. --LabApp.default_url=/lab/workspaces/aquakit

# Tests start many Pythons, and each would compile the sources again if none was allowed to keep them.
test: export PYTHONDONTWRITEBYTECODE =
test: lint  ## run the linters and all tests, on all processors
	$(BIN)/pytest -n $(WORKERS)

lint: $(READY)  ## check style, format, types, and which room imports which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# The variable silences the theme's notice about its own future; what is wrong with the pages is still an error.
docs: $(READY)  ## build the documentation site in out/site; open out/site/index.html
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

demo: $(READY)  ## show a position, its turns and a picture in the terminal
	$(BIN)/python -m aquakit.cli.demo

bench: $(READY)  ## measure the engine, and clicks on boards; figures go to benchmarks/results.json
	$(BIN)/python benchmarks/bench.py

bench-engine: $(READY)  ## measure search and solver; figures go to benchmarks/engine.json
	$(BIN)/python benchmarks/engine.py

bench-strength: $(READY)  ## let the bots play matches, about an hour; results go to benchmarks/strength
	$(BIN)/python benchmarks/strength.py

bench-plan: $(READY)  ## measure the planners, some minutes; figures go to benchmarks/plan.json
	$(BIN)/python benchmarks/plan.py

bench-workers: $(READY)  ## measure what a second worker brings; figures go to benchmarks/workers.json
	$(BIN)/python benchmarks/workers.py

# What cannot be installed is left out of the comparison.
bench-peers: $(READY)  ## measure against OpenSpiel, python-chess and catanatron; figures go to benchmarks/peers.json
	-$(BIN)/python -m pip install --quiet --editable '.[openspiel,peers]'
	$(BIN)/python benchmarks/peers.py

pictures: $(READY)  ## draw the pictures in docs/images again
	$(BIN)/python docs/pictures.py

screenshots: $(READY)  ## draw every state of the boards in a real notebook, to out/screenshots
	$(BIN)/python tests/browser/screenshots.py

# Without the widgets' state an exported notebook shows the boards' pictures.
notebooks: $(READY)  ## run all notebooks and store what they show
	$(BIN)/aquakit warm
	$(BIN)/jupyter nbconvert --to notebook --execute --inplace --ExecutePreprocessor.store_widget_state=False \
	  --ExecutePreprocessor.record_timing=False notebooks/*.ipynb

$(LITE)/.ready: lite/requirements.txt
	$(PYTHON) -m venv $(LITE)
	$(LITE)/bin/python -m pip install --quiet --requirement lite/requirements.txt
	touch $(LITE)/.ready

lite: $(LITE)/.ready  ## build the notebooks as a site with Python in the browser, in out/lite
	$(LITE)/bin/python lite/build.py

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

// Package notebooks holds the notebooks of metalab, as they come from being executed by the
// kernel "metalab (Go)":
//
//	00_first_steps.ipynb             open a run, step it, tune it, watch it, replay its record
//	01_your_own_cities.ipynb         a table of names and places, to a tour on a map
//	02_tuning_while_it_runs.ipynb    sliders, watching, forks, comparisons over seeds
//	03_a_solver_of_your_own.ipynb    write a solver in a cell, mend it while it runs
//	04_reading_a_run.ipynb           curve, tour, trails, branching, lengths, measures
//	05_comparing_algorithms.ipynb    from one run to the critical-distance diagram
//	06_tuning_parameters.ipynb       live, by a sweep, by racing; and whether it holds elsewhere
//	07_from_an_experiment_to_a_paper.ipynb  an experiment, its tests, a figure and a table
//	08_mmas_on_gpus.ipynb            MAX-MIN Ant System on GPUs (2020): six variants, tables, claims
//	09_acs_on_gpus.ipynb             Ant Colony System on GPUs and selective memory (2016)
//	10_tour_local_search.ipynb       Fosin et al.: 2-opt, 3-opt and kicks on GPUs, made again
//	11_constructive_crossovers.ipynb Kang et al.: crossovers and groups on GPUs, made again
//	12_neighbourhood_search.ipynb    Luong et al.: mappings and waves on GPUs, made again
//	13_a_kernel_of_your_own.ipynb    a CUDA kernel as the step of a search, and its twin in Go
//	14_a_problem_of_your_own.ipynb   a flow shop: its evaluation in a cell, metalab's searches on it
//	15_several_machines.ipynb        an experiment and islands over workers, one of which is killed
//	when_it_goes_wrong.md            errors of cells, and what lives on between them
//	lab.md                           package lab on a page
//	guide                            one task a page; go test ./repl/prompt -run Pages types them
//
// Open them in Jupyter after "go run ./kernel install". To execute one without Jupyter, its
// outputs written into it:
//
//	go run ./kernel exec notebooks/00_first_steps.ipynb
//
// The tests of this package execute the first three in a real kernel, and, where Jupyter Notebook
// and Chromium are there, open some as a user does: cell by cell, with the mouse on a slider.
// .ci/notebooks has Jupyter execute all of them.
package notebooks

// Package searches links tabu, hill, vnd and anneal on GPUs into the process that searches on a
// problem of somebody's own, and the comparison of kernels with the CPU, also where there is no
// GPU. Other programs have them by metalab/kernels/moves, which takes such problems too.
package searches

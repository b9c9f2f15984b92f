// Package genetic registers the solver ga: genetic search for the travelling salesman
// problem, in two variants. A population of tours is kept; children are made of two tours
// each, and take the places of longer tours.
//
//	open ga pr1002 as g                    # constructive crossovers, variant rivals
//	open ga/eax pr1002 as e                # edge assembly crossover
//
// The first iteration makes the first population; each further one is a generation. A
// generation reads only the one before it, so its children are made on all cores and their
// number changes nothing but the time. All memory is in proportion to population times cities.
//
// For good tours take eax: within seconds it finds optima of instances with a thousand
// cities, where rivals stays percents above. The variant rivals is for what its paper is
// about: constructive crossovers, what they cost and how a population fares under them.
//
// # The variant rivals
//
// After S. Kang, S.-S. Kim, J. Won and Y.-M. Kang, GPU-based parallel genetic approach to
// large-scale travelling salesman problem, J. Supercomputing, 2016,
// doi:10.1007/s11227-016-1748-1. Nobody is chosen at random. In a group of m tours the places
// 2i and 2i + 1 are rivals: the shorter tour goes to place i, the longer one behind all
// winners. Winners 2j and 2j + 1 are partners, and their children take places of losers: with
// scx and bcscx one child, so m/4 in all and half of the losers stay; with arx and hybrid two,
// m/2 in all. Every so many generations (exchange_period) the best of each group goes to a
// random other group. So a group's best is never lost.
//
// The crossovers build a child city by city, in O(n). From the city that came last, jumps lead
// along each parent, forwards and backwards round the circle, to the next city that the child
// does not have; they are kept up to date as the child grows.
//
//   - scx takes the nearer of the two cities ahead. It reads the parents from the child's first
//     city to the one before it, and where a parent has none left, the smallest number that the
//     child lacks stands in. (Z. H. Ahmed, Genetic algorithm for the traveling salesman problem
//     using sequential constructive crossover operator, Int. J. Biometrics and Bioinformatics
//     3(6), 2010.)
//   - bcscx, the bidirectional circular one, takes the nearest of all four.
//   - arx takes the nearer of the two of one parent. At two random places of the child the parents
//     change over: the first recommends up to the one, the second up to the other, then the first
//     again. The second child of a couple has the same places and the parents in reverse roles.
//   - hybrid makes children by bcscx and arx; hybrid_share is the share of bcscx. At 0.5 a couple
//     has one of each.
//
// Distances in the plane are compared before they are rounded; ties go to the first of: ahead
// and back in the first parent, ahead and back in the second.
//
// The scheme of rivals, partners, groups and numbers of children is the paper's as it is known to
// us, and the crossovers and places of children agree with a program that one of its authors
// published. Ours, because the paper's text was not at hand, are: the winner of two equal rivals
// (the one at the smaller place), the order of the losers, an odd number of tours in a group (the
// last has no rival and no partner), the meaning of hybrid_share, the period 5, mutation 0.3 and
// that a migrant takes the place of the longest tour, and two things that change results much:
//
//   - Mutation. The program turns a random part of one tour in ten round, and tries 2-opt moves on
//     the best of each group. Here only children mutate. The default, move=gaining, tries 2-opt
//     moves at random cities and makes those that gain; move=random turns a random part round.
//   - Origin. The program's children all begin at the first city, so a couple that stays together
//     has the same child again. The default, origin=drawn, begins anywhere.
//
// The local minima of start=minima are bcscx children of random tours brought to an optimum of
// 2-opt; the paper's come from runs of bcscx.
//
// # The variant eax
//
// After Y. Nagata and S. Kobayashi, A powerful genetic algorithm using edge assembly crossover
// for the traveling salesman problem, INFORMS J. Computing 25(2), 2013,
// doi:10.1287/ijoc.1120.0506, the localised form with single cycles (EAX-1AB) first. The edges that
// only one of two tours A and B has are taken apart into cycles whose edges are of A and B in
// turn. A kid is A with one cycle's edges exchanged, mostly a few edges; the subtours that
// come about are joined by 2-opt moves, the shortest first, to ten nearest neighbours. A kid's
// length and its effect on the population follow from the edges exchanged, without a walk along the
// tour. The tours stand in a ring in random order, new in every generation; each is A once,
// with the next one as B, and the best of up to 30 kids takes its place if it is shorter:
// under replacement=entropy the one that gains most for the entropy of the population's edges
// that is lost with it. The first population are random tours at an optimum of 2-opt.
//
// Where none of a couple's kids is better, kids of blocks are tried: a cycle together with
// the cycles no longer than itself that pass through its cities.
//
// It differs from the paper in these points: couples are made in squads of ten side by side, each
// of which counts edges as the squads before it left them, so that all cores share the work; the
// 2-opt of the start also moves paths of up to three cities; the paper's second stage makes blocks
// by a tabu search, for all couples and only when the first stage has come to its end. The search
// ends when no couple has a better kid, mostly at the optimum up to some thousand cities and close
// above it beyond.
//
// Evaluations are tours made: those of the first population, and all children and kids, also
// those that are given up.
//
// Asymmetric instances are for rivals with move=random only.
package genetic

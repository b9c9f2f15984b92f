package main

// As in kernel/host/rooms.
import _ "metalab/solvers/all"

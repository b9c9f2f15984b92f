package metalab

// As in kernel/host/rooms.
import _ "metalab/solvers/all"

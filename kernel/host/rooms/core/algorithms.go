package core

import _ "metalab/solvers/all"

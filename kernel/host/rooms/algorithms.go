package rooms

import _ "metalab/solvers/all"

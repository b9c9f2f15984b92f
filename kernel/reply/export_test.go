package reply

// What the tests from outside use of those from inside.
const Hostile = hostile

var WellFormed = wellFormed

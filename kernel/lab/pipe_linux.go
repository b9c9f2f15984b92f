package lab

// fionread asks for the number of bytes that wait in a pipe.
const fionread = 0x541b

// Package know is what front ends share in which the words of the prompt are typed, the prompt in
// a terminal and the one in a page: what is known of a host. [Known] keeps what its answers say of
// runs, asks for what completion and help need, and says how much of a line that was interrupted is
// done. It has no terminal, socket or file.
package know

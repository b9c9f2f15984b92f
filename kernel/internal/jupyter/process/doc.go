// Package process looks at other processes: [Output] is what one prints, [Watch] tells of the end
// of one, [End] ends it, and [List] is the command lines of all that can be seen.
package process

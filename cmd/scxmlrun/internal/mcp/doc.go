// Package mcp is a server for the Model Context Protocol: an assistant uses it to check, draw, try, explore
// and test charts.
//
// The tools are in tools.go, what each does in the file of its name. All of it happens behind the wall of
// package isolate: the server starts a child process for each call and gives it the arguments as they came.
// The child asks the server for files, which come from one folder. The server ends the child when the
// client cancels the call, or when the call takes too long.
package mcp

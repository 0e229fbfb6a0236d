// Package terminal draws on the terminal that a program runs in, with package tcell, and restores it
// however the program ends.
package terminal

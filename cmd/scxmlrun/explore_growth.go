package main

import (
	"os"
	"strings"
)

// again returns the command of this process with a flag more, for each of its values, as a shell reads it.
func again(flag string, values []string) string {
	words := []string{"scxmlrun"}
	args := os.Args[1:len(os.Args):len(os.Args)]
	for _, value := range values {
		args = append(args, "--"+flag, value)
	}
	for _, arg := range args {
		if arg == "" || strings.ContainsFunc(arg, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// plainRunes mean themselves in a shell.
const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%"

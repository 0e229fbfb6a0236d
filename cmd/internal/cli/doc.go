// Package cli is what the commands of this project have in common: exit
// statuses, what is said about wrong usage, and how an interrupt ends them.
//
//	func main() { os.Exit(cli.Execute(newRootCommand())) }
//
// A command returns an [*Error] to end with another status than [Failed], and
// [Usagef] for wrong usage.
package cli

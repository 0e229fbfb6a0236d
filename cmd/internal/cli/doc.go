// Package cli has what the commands of this project share: exit statuses, messages
// about wrong usage, interrupts, and what they need to know of the terminal.
//
//	func main() { os.Exit(cli.Execute(newRootCommand())) }
//
// A command returns an [*Error] to choose its exit status; [Usagef] makes one for
// wrong usage.
package cli

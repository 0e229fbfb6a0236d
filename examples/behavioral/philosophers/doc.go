// Philosophers lets philosophers dine, and checks whether they can starve.
//
//	go run ./examples/behavioral/philosophers
//	go run ./examples/behavioral/philosophers -check
//	go run ./examples/behavioral/philosophers -check -fix waiter
//	go run ./examples/behavioral/philosophers -check -fix waiter -fair
//
// # How it works
//
// A b-thread for each philosopher requests forks, and one for each fork blocks that it is taken twice. In a
// deadlock each philosopher has one fork. The waiter is a b-thread more, which knows how many have one fork
// and blocks the last: nothing else changes. The other remedy is that one philosopher begins with the fork
// on the other side. Then one philosopher can still starve if others take the forks again and again, unless the
// choice among them is fair.
package main

// Command peers lets package explore, SPIN and XState search the states of the dining philosophers,
// one after the other, and prints a table:
//
//	go run ./examples/peers
//	go run ./examples/peers -runs 7 -xstate DIR 9 13
//
// The arguments are numbers of philosophers. All searches must find the same states and transitions;
// otherwise the exit status is 1. Each runs in a process with one core and one worker. Its rate is
// transitions a second of processor time, without the time of a search of two philosophers, which is
// for starting the process; it is left out for a search of less than 50 ms. The searches take turns.
// Rates and ratios are medians of all turns; a busy machine disturbs the ratios less.
//
// SPIN takes the commands spin and gcc (Debian: apt-get install spin gcc). XState takes node and a folder
// DIR in which "npm install xstate" was run. What is missing is left out, and the table says so.
//
// The forks are states in the chart "null", numbers in "numbers" and fields of objects in "objects".
// In SPIN's model they are an array of bytes; moves are atomic, as macrosteps are.
//
// With -systems, six systems are searched in place of the philosophers alone, by SPIN (-O3, and with its compression
// -DCOLLAPSE), by sessions, of which only the first 200,000 states are visited, and by programs that "scxmlrun explore
// --compiled always" makes of the charts.
package main

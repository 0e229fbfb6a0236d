// Package proof tests the promises of package fleet. It has tests only.
//
// The simulation runs whole fleets over a store in memory, in a bubble of package synctest: clients
// give them events, the store is slow, fails, and does not tell what it did, processes die before
// and after each of their calls and while others have taken over, and clocks jump. In half of the runs
// the processes share the sessions as hosts, which come, drain and die, know different versions of the
// chart, and have clocks of their own. Each run follows from its seed. What the clients were told is kept in a ledger, and the ledger is compared with what
// the sessions wrote into their data. A failing run prints the command that repeats it.
//
// The kill tests do the same with processes that are really killed, see package killtest. The planted
// mistakes are changes to package fleet that the simulation has to find.
package proof

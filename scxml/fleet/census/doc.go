// Package census knows the sessions of a fleet without asking the store: how many there are of each
// chart in each status, which ones a search finds, and which ones need someone, and why.
//
//	people := census.New()
//	f, err := fleet.New(store, fleet.Config{Observers: []fleet.Observer{people.Observer()}}, charts...)
//	…
//	go people.Run(ctx, f, time.Minute)
//	…
//	for _, count := range people.Counts() {
//		fmt.Println(count.Chart, count.Status, count.Sessions)
//	}
//
// Its fleet reports each change that it stores. What other processes change in the same store it
// learns from reading the list of all sessions, at the start and then every so often: [Census.Run].
//
// A census has some 150 bytes for each session, and what the fleet knows about those that wait for
// something.
package census

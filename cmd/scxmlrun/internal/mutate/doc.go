// Package mutate tells what the tests of a chart miss. It makes small changes to the chart, one at a
// time, and runs the tests on each changed chart, which is called a mutant. A mutant on which all tests
// pass shows what they do not look at.
//
//	chart, err := scxml.Load(os.DirFS("."), "gate.scxml")
//	…
//	report, err := mutate.Run(ctx, chart, tests, mutate.Options{})
//	for _, r := range report.Results {
//		if r.Outcome == mutate.Missed {
//			fmt.Println(r.Mutant)     // gate.scxml:4:5: negate guard, and the change
//			fmt.Println(r.Difference) // the events after which the chart and the mutant differ
//		}
//	}
//
// [Operator] lists the changes. They are made in the text of the document, so that each has a place
// and a diff. Documents that are part of another one, in the <content> of an <invoke>, are changed too;
// those that a chart loads are not.
//
// A mutant on which all tests pass need not be a gap in them: it may behave like the chart. Such
// mutants are found by running both side by side in all states that they can reach, see
// [explore.Compare]. If that search is complete and finds no difference, the mutant is equivalent and
// does not count. If it finds one, the events that lead there are a test that is missing.
package mutate

// Package suite writes scenarios of package scxmltest for what a search of package explore finds:
// a suite that covers a chart, and a failing test for each violation.
//
//	report, err := explore.Run(ctx, chart, opts)
//	…
//	for _, v := range report.Violations {
//		scenario, err := suite.Counterexample(ctx, chart, opts, v, changes)
//		…
//		os.WriteFile("gate.txtar", scenario.Format(), 0o666)
//	}
//
// [Cover] visits the states of a chart and returns few short scenarios that together do all that a
// [Criterion] asks for:
//
//	States       enter every state
//	Transitions  and take every transition
//	Pairs        and take every two transitions that can follow one another
//	Guards       enter every state, take every transition, and find every condition true and false
//
// Their traces are what the chart does today, so they are regression tests: read them before you
// rely on them.
package suite

// Package cover finds out which parts of charts a test run has reached: the states that were
// entered, the transitions that were taken, and both outcomes of their conditions.
//
// A [Profile] counts what the sessions with its trace do, and those that they invoke:
//
//	var profile cover.Profile
//	s, err := scxml.New(chart, scxml.WithTrace(profile.Trace()))
//	…
//	profile.WriteText(os.Stdout)
//	err = profile.AtLeast(90)
//
// [Profile.AddTo] adds the counts to a file, which is JSON or, if its name ends in .html, a page
// that shows the documents line by line. Several processes can add to one file at the same time.
// The file grows until it is removed.
//
// The unit is the document. A chart that was parsed twice, and the <scxml> elements inside a
// document, count for one document; documents of one name with different texts are two. A state or
// transition of a chart that was never invoked is unknown to the profile.
//
// Tests get all this from package scxmltest, and from scxmlrun test --cover.
package cover

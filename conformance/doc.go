// Package conformance runs test suites against the engine through its public
// API and says what passed.
//
// The W3C's suite, the tests of the SCXML 1.0 Implementation Report Plan, is
// not part of this project. It is read from a folder, see [OpenW3C]: with
// converted documents and a file tests.json that describes them, or in the
// W3C's own layout, whose abstract documents [ConvertTXML] converts. The tests
// of this package look for that folder in the environment variable
// SCXML_W3C_SUITE; what does not pass, and why, stands in w3c_ledger.txt, and
// what was run in which form, test by test, in REPORT.md.
//
//	suite, err := conformance.OpenW3C(os.DirFS(dir))
//	cases, err := suite.Cases([]string{"150-160", "403a"}, []conformance.Form{conformance.Converted}, false)
//	outcomes, err := suite.RunAll(ctx, cases, conformance.W3COptions{Ledger: conformance.W3CLedger()})
//
// Suites in the format of SCION, charts with a script of events and
// configurations beside each, are found by [ScionTests] and run by [RunScion].
// Our own documents, see [OwnDocuments], show each assertion of the W3C's
// manifest without the W3C's files.
package conformance

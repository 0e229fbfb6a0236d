// Package conformance runs test suites against the engine through its public
// API and reports what passes.
//
// The W3C's suite, the tests of the SCXML 1.0 Implementation Report Plan, is
// not part of this project. [OpenW3C] reads it from a folder, which has either
// converted documents and a file tests.json that describes them, or the W3C's
// own layout with abstract documents, which [ConvertTXML] converts. The tests
// of this package find the folder in the environment variable SCXML_W3C_SUITE.
// The file w3c_ledger.txt lists what does not pass and why; REPORT.md lists
// every test with its form and result.
//
//	suite, err := conformance.OpenW3C(os.DirFS(dir))
//	cases, err := suite.Cases([]string{"150-160", "403a"}, []conformance.Form{conformance.Converted}, false)
//	outcomes, err := suite.RunAll(ctx, cases, conformance.W3COptions{Ledger: conformance.W3CLedger()})
//
// [ScionTests] finds and [RunTests] runs suites in SCION's format: charts, each
// with a script of events and configurations. The tests of this package run this
// project's own documents, in the folder documents, which test each assertion of
// the W3C's manifest without the W3C's files.
package conformance

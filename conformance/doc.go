// Package conformance runs test suites against the engine through its public
// API and says what passed.
//
// The W3C's suite, the tests of the SCXML 1.0 Implementation Report Plan, is
// not part of this project. It is read from a folder that holds the converted
// documents and a file tests.json which describes them, see [OpenW3C]. The
// tests of this package look for that folder in the environment variable
// SCXML_W3C_SUITE; what does not pass, and why, stands in w3c_ledger.txt.
package conformance

// Package reference is a second interpreter, for tests alone: Appendix D of
// the REC transcribed as plainly as possible, with pointers and lists that are
// searched, and without a thought for speed. The engine is compared with it on
// random charts, see random_test.go of package scxml.
//
// It departs from the pseudocode only where RATIONALE.md says so ("Why do the
// sections win over Appendix D?"); each such place has a comment that begins
// with "Amended". It shares the parsed document and the data models with the
// engine, and nothing else; imports_test.go of package scxml holds it to that.
//
// interpret.go has the procedures and functions of Appendix D under their own
// names; content.go the executable content (REC 4, 5); external.go <send>,
// <cancel> and <invoke> (REC 6); world.go what Appendix D leaves open: how
// sessions take turns, and delayed events.
package reference

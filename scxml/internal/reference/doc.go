// Package reference is a second interpreter, for tests only: a plain transcription of the REC's
// Appendix D with pointers and linear searches, regardless of speed. The engine is compared with it
// on random charts, see random_test.go of package scxml.
//
// It departs from the pseudocode only where RATIONALE.md says so ("Why do the sections win over
// Appendix D?"). A comment that begins with "Amended" marks each such place. It shares only the
// parsed document and the data models with the engine; imports_test.go of package scxml checks this.
//
//	interpret.go  Appendix D, with its names
//	content.go    executable content (REC 4, 5)
//	external.go   <send>, <cancel> and <invoke> (REC 6)
//	world.go      what Appendix D leaves open: turns of sessions, and delayed events
package reference

// Package scxmltest helps to test charts: a clock that moves only when it is
// told to, traces that can be read and compared, and scenarios.
//
// A scenario is a text file that holds a chart, what happens to it, and the
// trace that is expected, so that a test reads as a specification:
//
//	A door that closes by itself.
//
//	-- chart.scxml --
//	<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
//	  <state id="closed"><transition event="push" target="open"/></state>
//	  <state id="open">
//	    <onentry><send event="close" delay="5s"/></onentry>
//	    <transition event="close" target="closed"/>
//	  </state>
//	</scxml>
//	-- events --
//	push
//	advance 5s
//	-- trace --
//	enter closed
//	stable closed
//	event push
//	exit closed
//	transition closed -> open
//	enter open
//	send close in 5s
//	stable open
//	due close
//	event close
//	exit open
//	transition open -> closed
//	enter closed
//	stable closed
//
// What the events may be says [Replay]. Other files between such lines are there
// for the chart to load.
//
// [RunFiles] runs all scenarios of a folder as subtests. The trace need not be
// written by hand: go test . -scxmltest.update puts what happens into the files,
// to be read before it is committed.
package scxmltest

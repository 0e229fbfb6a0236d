// Package scxmltest helps to test charts: with a virtual clock, traces that can be read and
// compared, and scenarios.
//
// A scenario is a text file with a chart, its events and the expected trace:
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
// [Replay] describes the lines of events. The chart can load other files from the same text.
//
// [RunFiles] runs all scenarios of a folder as subtests. You need not write the trace by hand:
// go test . -scxmltest.update writes the actual traces into the files. Read them before you commit.
package scxmltest

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
//	...
//
// [RunFiles] runs all scenarios of a folder as subtests. With -scxmltest.update
// the expected traces are written anew.
package scxmltest

package conformance

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"testing"
	"testing/fstest"
)

// FuzzConvertTXML makes sure that no abstract document makes the conversion panic, and that its
// result is well-formed.
func FuzzConvertTXML(f *testing.F) {
	for _, s := range []string{
		`<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:conf="http://www.w3.org/2005/scxml-conformance" initial="s0" conf:datamodel="">
  <datamodel><data conf:id="1" conf:expr="0"/></datamodel>
  <state id="s0"><onentry><conf:incrementID id="1"/><conf:raise/></onentry>
    <transition event="*" conf:idVal="1=1" conf:targetpass=""/><transition event="*" conf:targetfail=""/></state>
  <conf:pass/><conf:fail/></scxml>`,
		`<?xml version="1.0"?><!-- a --><a xmlns:c="http://www.w3.org/2005/scxml-conformance"><c:array123/><c:sumVars id1="1" id2="2"/></a>`,
		`<conf:script/>`, `<a`, ``, `<a conf:idVal="1"/>`, "<a>\xff</a>", `<a><![CDATA[<conf:pass/>]]>&amp;</a>`,
		`<a xmlns:conf="http://www.w3.org/2005/scxml-conformance"><conf:contentFoo>x<b/></conf:contentFoo></a>`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		out, err := ConvertTXML(source)
		if err != nil {
			return
		}
		in := xml.NewDecoder(bytes.NewReader(out))
		for {
			_, err := in.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%v in the result\n%s", err, out)
			}
		}
	})
}

// FuzzScion runs a chart against any script of a SCION-format test: the result says what is wrong
// with it.
func FuzzScion(f *testing.F) {
	for _, s := range []string{
		`{"initialConfiguration":["a"],"events":[{"event":{"name":"t","data":{"x":1}},"nextConfiguration":["b"]}]}`,
		`{"initialConfiguration":["a"],"events":[{"after":"500","event":"t","nextConfiguration":["c"]}]}`,
		`{"events":[{"delayBefore":1e300,"event":{"name":""}}]}`, `{"error":{}}`, `[]`, `{"events":[null,{}]}`,
	} {
		f.Add([]byte(s))
	}
	const chart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="a"><onentry><send event="t" delay="1s"/></onentry><transition event="t" target="b"/></state>
  <state id="b"><transition event="t" target="c"/></state><final id="c"/></scxml>`
	f.Fuzz(func(t *testing.T, script []byte) {
		tests, err := ScionTests(fstest.MapFS{"x.scxml": {Data: []byte(chart)}, "x.json": {Data: script}})
		if err != nil || len(tests) != 1 {
			t.Fatalf("%d tests, %v", len(tests), err)
		}
		if result := tests[0].Run(context.Background(), nil); result.Passed != (result.Reason == "") {
			t.Errorf("%+v", result)
		}
	})
}

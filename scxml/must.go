package scxml

import (
	"fmt"
	"io/fs"
)

// MustParse is [Parse] for a document that is part of the program: it panics if the document is not a
// legal chart, with an error that has all its problems. It is for package variables:
//
//	//go:embed door.scxml
//	var source []byte
//
//	var door = scxml.MustParse("door.scxml", source)
//
// Use Parse for what comes from outside of the program.
func MustParse(name string, source []byte, opts ...ChartOption) *Chart {
	chart, err := Parse(name, source, opts...)
	return must("MustParse", name, chart, err)
}

// MustLoad is [Load] as [MustParse] is Parse: for a document in an [embed.FS], with the scripts and data
// that it names.
func MustLoad(fsys fs.FS, name string, opts ...ChartOption) *Chart {
	chart, err := Load(fsys, name, opts...)
	return must("MustLoad", name, chart, err)
}

func must(method, name string, chart *Chart, err error) *Chart {
	if err != nil {
		panic(failed(fmt.Sprintf("%s: cannot use the chart %q of the program", method, name), err))
	}
	return chart
}

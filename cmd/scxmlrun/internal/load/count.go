package load

import (
	"bytes"
	"slices"
)

// largeDocument is the size of a document in bytes from which reading it can take longer than a second.
const largeDocument = 4 << 20

// passedOver are parts of a document without states of the chart, and how they end.
var passedOver = [][2][]byte{
	{[]byte("<!--"), []byte("-->")}, {[]byte("<![CDATA["), []byte("]]>")}, {[]byte("<?"), []byte("?>")},
	{[]byte("<content>"), []byte("</content>")}, {[]byte("<data>"), []byte("</data>")}, {[]byte("<data "), []byte("</data>")},
}

var stateTags = [][]byte{[]byte("<state"), []byte("<parallel"), []byte("<final"), []byte("<history")}

// CountStates returns how many states a large document has, without reading it as XML, so that a command
// can say at once that it is too large. It returns 0 for a small document, which is read as fast, and
// counts no states in elements with a prefix or in UTF-16.
func CountStates(source []byte) int {
	if len(source) < largeDocument {
		return 0
	}
	n := 0
	for {
		at := bytes.IndexByte(source, '<')
		if at < 0 {
			return n
		}
		source = source[at:]
		if i := slices.IndexFunc(passedOver, func(p [2][]byte) bool { return bytes.HasPrefix(source, p[0]) }); i >= 0 {
			end := bytes.Index(source, passedOver[i][1])
			if tag := bytes.IndexByte(source, '>'); tag > 0 && source[tag-1] == '/' && source[1] == 'd' { // an empty element
				end = tag
			}
			if end < 0 {
				return n
			}
			source = source[end:]
			continue
		}
		for _, tag := range stateTags {
			if rest, ok := bytes.CutPrefix(source, tag); ok && len(rest) > 0 && bytes.IndexByte([]byte(" \t\r\n/>"), rest[0]) >= 0 {
				n++
			}
		}
		source = source[1:]
	}
}

package scxmltest

import (
	"bytes"
	"strings"
)

// archive is a text file that contains files (the txtar format): a comment, then each file after a
// line "-- name --".
type archive struct {
	comment []byte
	names   []string
	lines   []int // of the source, where each name is
	files   map[string][]byte
}

func parseArchive(source []byte) *archive {
	a := &archive{files: make(map[string][]byte)}
	source = bytes.TrimPrefix(source, []byte("\ufeff")) // editors of Windows write this, and git the line ends
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	name, n := "", 0
	for line := range bytes.Lines(source) {
		n++
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "-- ") && strings.HasSuffix(text, " --") {
			name = strings.TrimSpace(text[3 : len(text)-3])
			a.names, a.lines = append(a.names, name), append(a.lines, n)
			a.files[name] = nil
		} else if name == "" {
			a.comment = append(a.comment, line...)
		} else {
			a.files[name] = append(a.files[name], line...)
		}
	}
	return a
}

func (a *archive) set(name string, data []byte) {
	if _, ok := a.files[name]; !ok {
		a.names = append(a.names, name)
	}
	a.files[name] = data
}

func (a *archive) format() []byte {
	out := bytes.Clone(a.comment)
	for _, name := range a.names {
		out = append(out, "-- "+name+" --\n"...)
		out = append(out, a.files[name]...)
	}
	return out
}

//go:build !js

package playground

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// onFileOf asks about a file.
func onFileOf(t *testing.T, f *File, in *onFile) (out onFile, status int) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "GET", "http://page/file", nil)
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		r = httptest.NewRequestWithContext(t.Context(), "POST", "http://page/file", strings.NewReader(string(body)))
	}
	w := httptest.NewRecorder()
	f.serve(w, r)
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
	}
	return out, w.Code
}

func newFile(t *testing.T, content string) (f *File, name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "x.scxml")
	write(t, name, content)
	f, err := NewFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return f, name
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func contentOf(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// A file keeps its encoding, its mark and the ends of lines that are not changed.
func TestFileKeepsItsWriting(t *testing.T) {
	for _, test := range [][4]string{ // before, changed from and to, after
		{"a\r\nb\r\nc", "b", "x\ny", "a\r\nx\r\ny\r\nc"},
		{"a\nb\r\nc\nd\r\n", "c", "x", "a\nb\r\nx\nd\r\n"},
		{"a\nb\r\nc\n", "a\nb\nc\n", "z\nb\ny\n", "z\nb\r\ny\n"},
		{"\ufeffa\r\nb", "a", "ä", "\ufeffä\r\nb"},
		{"\ufeffa\nb", "a\n", "", "\ufeffb"},
		{"\xff\xfea\x00\r\x00\n\x00b\x00", "b", "c\nd", "\xff\xfea\x00\r\x00\n\x00c\x00\r\x00\n\x00d\x00"},
		{"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n\xe4", "ä", "ö", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n\xf6"},
	} {
		f, name := newFile(t, test[0])
		got, _ := onFileOf(t, f, nil)
		if strings.ContainsAny(got.Text, "\r\ufeff") {
			t.Errorf("%q: the page has %q", test[0], got.Text)
		}
		if _, status := onFileOf(t, f, &onFile{Text: got.Text, Mark: got.Mark}); status != http.StatusOK || contentOf(t, name) != test[0] {
			t.Errorf("%q: unchanged, it is saved as %q", test[0], contentOf(t, name))
		}
		got.Text = strings.Replace(got.Text, test[1], test[2], 1)
		if _, status := onFileOf(t, f, &onFile{Text: got.Text, Mark: got.Mark}); status != http.StatusOK || contentOf(t, name) != test[3] {
			t.Errorf("%q: saved as %q, want %q", test[0], contentOf(t, name), test[3])
		}
	}
}

// What another program has written meanwhile is merged, or not lost without a question.
func TestFileIsMerged(t *testing.T) {
	f, name := newFile(t, "1\n2\n3\n4\n5\n")
	got, _ := onFileOf(t, f, nil)
	write(t, name, "1\n2\n3\n4\nfive\n6\n")
	merged, _ := onFileOf(t, f, &onFile{Text: "one\n2\n3\n4\n5\n", Mark: got.Mark})
	if want := "one\n2\n3\n4\nfive\n6\n"; !merged.Merged || merged.Text != want || contentOf(t, name) != want {
		t.Errorf("merged: %+v, and the file is %q", merged, contentOf(t, name))
	}
	write(t, name, "eins\n2\n3\n4\nfive\n6\n")
	conflict, _ := onFileOf(t, f, &onFile{Text: "ein\n2\n3\n4\nfive\n6\n", Mark: merged.Mark})
	if !conflict.Conflict || conflict.Text != "eins\n2\n3\n4\nfive\n6\n" || contentOf(t, name) != conflict.Text {
		t.Errorf("conflict: %+v, and the file is %q", conflict, contentOf(t, name))
	}
	if saved, _ := onFileOf(t, f, &onFile{Text: "mine", Mark: conflict.Mark}); saved.Conflict || contentOf(t, name) != "mine" {
		t.Errorf("after the question: %+v, and the file is %q", saved, contentOf(t, name))
	}
	if other, _ := onFileOf(t, f, &onFile{Text: "x", Mark: "unknown"}); !other.Conflict || contentOf(t, name) != "mine" {
		t.Errorf("a page that knows another file: %+v", other)
	}
}

// Only the file is written: a link does not lead out of its folder, also if it is put there later.
func TestFileIsNoWayOut(t *testing.T) {
	f, name := newFile(t, "in")
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, outside, "out")
	got, _ := onFileOf(t, f, nil)
	inside := filepath.Join(filepath.Dir(name), "inside")
	if err := os.Rename(name, inside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, name); err != nil {
		t.Skip(err)
	}
	if _, err := NewFile(name); err == nil || !strings.Contains(err.Error(), "leads out of its folder") {
		t.Errorf("a link: %v", err)
	}
	for _, in := range []*onFile{nil, {Text: "x", Mark: got.Mark}, {Text: "x", Force: true}} {
		if out, status := onFileOf(t, f, in); status == http.StatusOK {
			t.Errorf("%+v: %+v", in, out)
		}
	}
	if contentOf(t, outside) != "out" {
		t.Error("the file outside is written")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("inside", name); err != nil {
		t.Fatal(err)
	}
	if _, status := onFileOf(t, f, &onFile{Text: "y", Mark: got.Mark}); status != http.StatusOK || contentOf(t, inside) != "y" {
		t.Errorf("a link in the folder: status %d, and the file is %q", status, contentOf(t, inside))
	}
}

// The file needs the token, as all requests do.
func TestFileNeedsTheToken(t *testing.T) {
	f, name := newFile(t, "in")
	s := NewServer()
	defer s.Close()
	s.Edit(f, os.DirFS(filepath.Dir(name)))
	const path = "/engine/00000000-0000-0000-0000-000000000000/file"
	for token, want := range map[string]int{"": http.StatusUnauthorized, "x": http.StatusUnauthorized, s.token: http.StatusOK} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "http://localhost"+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("token %q: status %d, want %d", token, w.Code, want)
		}
	}
}

// What is saved is what the page has, but for the ends of lines: random changes of random lines.
func TestFileSavesWhatThePageHas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lines := func(most int) string {
		var b strings.Builder
		for range rng.IntN(most) {
			b.WriteString(string(rune('a'+rng.IntN(4))) + []string{"\n", "\r\n"}[rng.IntN(2)])
		}
		return b.String() + string(rune('a'+rng.IntN(2)))
	}
	for range 2000 {
		before, text := lines(9), plain(lines(9))
		if got := withEnds(before, text); plain(got) != text {
			t.Fatalf("%q over %q is saved as %q", text, before, got)
		}
	}
}

package file

import (
	"runtime"
	"testing"
)

func TestURIs(t *testing.T) {
	paths := map[string]string{"/a b/ä%.scxml": "file:///a%20b/%C3%A4%25.scxml"}
	if runtime.GOOS == "windows" {
		paths = map[string]string{`C:\a b\ä%.scxml`: "file:///C:/a%20b/%C3%A4%25.scxml", `\\host\a b\c.scxml`: "file://host/a%20b/c.scxml"}
	}
	for path, want := range paths {
		if got := URI(path); got != want || FromURI(got) != path {
			t.Errorf("%q: got %q, and from it %q", path, got, FromURI(got))
		}
	}
	for _, uri := range []string{"untitled:Untitled-1", "http://a/b", "%", ""} {
		if got := FromURI(uri); got != "" {
			t.Errorf("%q: got %q", uri, got)
		}
	}
}

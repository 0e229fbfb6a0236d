package file

import "testing"

func TestURIs(t *testing.T) {
	for path, want := range map[string]string{"/a b/ä%.scxml": "file:///a%20b/%C3%A4%25.scxml"} {
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

package httpguard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What browsers send when another web site makes them do something. Only a whole window may show something
// of ours, and only a page.
func TestLinksOfOtherSites(t *testing.T) {
	s := Source{Hosts: []string{"ours.example"}}
	for _, test := range []struct {
		name, header string // Sec-Fetch-Site, -Mode, -Dest and -User
		page, other  bool   // whether a page is answered, and something else
	}{
		{"address that is typed, bookmark", "none navigate document ?1", true, true},
		{"old browser, curl", "", true, true},
		{"link", "cross-site navigate document ?1", true, false},
		{"link of another port", "same-site navigate document ?1", true, false},
		{"script that goes there", "cross-site navigate document", true, false},
		{"own page", "same-origin cors empty", true, true},
		{"iframe", "cross-site navigate iframe", false, false},
		{"frame", "cross-site navigate frame", false, false},
		{"embed", "cross-site navigate embed", false, false},
		{"object", "cross-site navigate object", false, false},
		{"fenced frame", "cross-site navigate fencedframe", false, false},
		{"image", "cross-site no-cors image", false, false},
		{"script", "cross-site no-cors script", false, false},
		{"style", "same-site no-cors style", false, false},
		{"fetch", "cross-site no-cors empty", false, false},
		{"fetch that claims to be a document", "cross-site no-cors document", false, false},
		{"web socket", "cross-site websocket empty", false, false},
		{"worker", "same-site same-origin worker", false, false},
	} {
		r := httptest.NewRequest("GET", "http://ours.example/", nil)
		for i, value := range strings.Fields(test.header) {
			r.Header.Set([]string{"Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Sec-Fetch-User"}[i], value)
		}
		if page, other := s.Check(r, true) == nil, s.Check(r, false) == nil; page != test.page || other != test.other {
			t.Errorf("%s: a page %v, something else %v; want %v, %v", test.name, page, other, test.page, test.other)
		}
		r.Method = http.MethodPost // of a form
		if strings.Contains(test.header, "-site") && s.Check(r, true) == nil {
			t.Errorf("%s: POST is answered", test.name)
		}
		r.Method, r.Host = http.MethodGet, "evil.example"
		if s.Check(r, true) == nil {
			t.Errorf("%s: a rebound name is answered", test.name)
		}
	}
}

// RFC 9110, 11.1: the scheme is written in any case.
func TestToken(t *testing.T) {
	for header, want := range map[string]string{
		"Bearer abc": "abc", "bearer abc": "abc", "BEARER  abc": "abc", "Bearer ": "", "Bearer": "",
		"": "-", "abc": "-", "Basic abc": "-", "Bearerabc": "-", " Bearer abc": "-",
	} {
		token, ok := Token(&http.Request{Header: http.Header{"Authorization": {header}}})
		if ok != (want != "-") || ok && token != want {
			t.Errorf("%q: %q, %v", header, token, ok)
		}
	}
}

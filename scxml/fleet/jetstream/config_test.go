package jetstream

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Setenv("NATS_TOKEN", "")
	c, err := parse("nats://user:p%40ss@a:1,b:2,[::1]:3/orders?replicas=1&shards=8&sync=unchecked")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"nats://a:1", "nats://b:2", "nats://[::1]:3"}; !slices.Equal(c.servers, want) {
		t.Errorf("the servers are %q, want %q", c.servers, want)
	}
	if c.name != "orders" || c.replicas != 1 || c.shards != 8 || !c.unchecked || len(c.options) != 1 {
		t.Errorf("got %+v", c)
	}
	if got, want := Name("tls://user:secret@a:1/orders?shards=8"), "tls://a:1/orders"; got != want {
		t.Errorf("Name returns %q, want %q", got, want)
	}
}

// What is wrong with a URL is told without what may be a password.
func TestWrongURL(t *testing.T) {
	for url, want := range map[string]string{
		"http://secret@a/orders":                  "want nats://",
		"nats://u:secret@/orders":                 "a host that is not one",
		"nats://u:secret@a:x/orders":              "a host that is not one",
		"nats://u:secret@a":                       `"" is not a name`,
		"nats://u:secret@a/a.b":                   `"a.b" is not a name`,
		"nats://u:%secret@a/orders":               "a % that is not followed by two digits",
		"nats://u:secret@a/orders?shards=0":       "shards=0 in the URL of the store: want 1 to 256",
		"nats://u:secret@a/orders?sync=no":        "want sync=unchecked",
		"nats://u:secret@a/orders?shard=2":        `"shard" is not a setting`,
		"nats://u:secret@a/orders?tls-key=f":      "needs tls-cert",
		"nats://u:secret@a/orders?password=%zzzz": "cannot read the settings",
	} {
		_, err := parse(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want an error with %q", url, err, want)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, key := range []string{"", "a", "order-1_B", "a.b", "*", ">", " ", "ü", "\x01", "=41", "\xff\xfe", strings.Repeat("k", 512)} {
		token := escape(key)
		if strings.ContainsAny(token, ".*> \t\r\n") {
			t.Errorf("escape(%q) is %q, which is not a token", key, token)
		}
		if back, err := unescape(token); err != nil || back != key {
			t.Errorf("unescape(%q) returns %q, %v; want %q", token, back, err, key)
		}
	}
	if a, b := escape("a"), escape("=61"); a == b {
		t.Errorf("two keys have the token %q", a)
	}
}

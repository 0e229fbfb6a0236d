package scxml

// The methods of [Session] are for those who run a chart in their program. What only a search, a
// server, a tool or a replay asks of a session is in a view for it. A view is a session by another
// name: it costs nothing to make, two of one session are equal, and what its methods say about owners
// and macrosteps is said of the session.

// A SearchView is a [Session] as a search of its states uses it: they are saved and loaded in place,
// and compared.
type SearchView struct{ s *Session }

// ForSearch returns the view of s for a search.
func ForSearch(s *Session) SearchView { return SearchView{s} }

// A ServerView is a [Session] as a server uses it, which keeps sessions for others: it carries out
// what they send, delivers what it receives for them, and lets go of those that it has saved.
type ServerView struct{ s *Session }

// ForServer returns the view of s for a server.
func ForServer(s *Session) ServerView { return ServerView{s} }

// A ToolView is what a tool that shows a session sees in it. Its methods may be called from a
// [Trace] too, while a snapshot is possible only between two macrosteps.
type ToolView struct{ s *Session }

// ForTools returns the view of s for a tool.
func ForTools(s *Session) ToolView { return ToolView{s} }

// A ReplayView gives a dry session, see [WithDry], what its surroundings have answered.
type ReplayView struct{ s *Session }

// ForReplay returns the view of s for a replay.
func ForReplay(s *Session) ReplayView { return ReplayView{s} }

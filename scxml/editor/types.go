package editor

// findTypes asks for the types of the names in the text.
func (d *Document) findTypes() map[Type]string {
	all := map[Type]string{}
	if d.opts.Types != nil {
		for _, t := range d.opts.Types(d.text) {
			all[Type{Kind: t.Kind, Name: t.Name}] = t.Text
		}
	}
	return all
}

// typed returns a text about a name, with its type if that is known. It is known in the document, not in those inside of it.
func (d *Document) typed(c *chart, name, text string, kinds ...string) string {
	if c != d.charts[0] {
		return text
	}
	for _, kind := range kinds {
		typ := d.types()[Type{Kind: kind, Name: name}]
		switch {
		case typ == "":
		case text == "":
			return kind + " " + mark(name) + ": " + typ
		default:
			return text + "\n\n" + typ
		}
	}
	return text
}

// hoverMember tells the type of a member of _event.data at an offset.
func (d *Document) hoverMember(offset int) (h Hover, ok bool) {
	c := d.codeAt(offset)
	if c == nil || !d.isECMAScript(c.node.chart) {
		return h, false
	}
	d.pieces(c, func(s *snippet) {
		all := tokens(s.text)
		is := func(i int, name string) bool { return all[i].kind == 'a' && s.text[all[i].from:all[i].to] == name }
		for i := 4; i < len(all); i++ {
			at := s.span(all[i].from, all[i].to)
			if all[i].kind == 'a' && at.touches(offset) && isMember(all, i) && is(i-2, "data") && isMember(all, i-2) && is(i-4, "_event") && !isMember(all, i-4) {
				h = Hover{at, d.typed(c.node.chart, s.text[all[i].from:all[i].to], "", "member")}
			}
		}
	})
	return h, h.Text != ""
}

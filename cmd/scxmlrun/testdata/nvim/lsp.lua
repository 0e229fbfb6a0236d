-- Writes a chart as a person does, with the settings of the guide in $SETTINGS, and writes to $RESULTS what was seen.
local results = {}
local function note(name, value) results[#results + 1] = name .. ': ' .. value end

local ok, err = pcall(function()
  if not vim.lsp.start then -- before Neovim 0.8
    vim.lsp.start = function(config) vim.lsp.buf_attach_client(0, vim.lsp.start_client(config)) end
    vim.g.do_filetype_lua = 1
  end
  vim.cmd('filetype on')
  vim.cmd('luafile ' .. os.getenv('SETTINGS'))
  vim.cmd('edit door.scxml')
  local buffer = vim.api.nvim_get_current_buf()

  -- wait waits until the diagnostics are as a function says.
  local function wait(what, done)
    if not vim.wait(60000, function() return done(vim.diagnostic.get(buffer)) end, 20) then
      error(what .. ': ' .. vim.inspect(vim.diagnostic.get(buffer)))
    end
  end
  local function ask(method, line, column, more)
    local params = { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = column } }
    local answers = assert(vim.lsp.buf_request_sync(buffer, method, vim.tbl_extend('error', params, more or {}), 60000))
    for _, answer in pairs(answers) do
      assert(not answer.error, vim.inspect(answer.error))
      return answer.result
    end
    error(method .. ': no answer')
  end
  local function line(n) return vim.api.nvim_buf_get_lines(buffer, n, n + 1, true)[1] end

  wait('a target that does not exist', function(all) return #all == 1 end)
  local problem = vim.diagnostic.get(buffer)[1]
  note('diagnostic', string.format('%d:%d %s: %s', problem.lnum, problem.col, problem.code, problem.message))
  note('hover', ask('textDocument/hover', 4, 40).contents.value:match('%(unknown%-target%)') or 'no explanation')

  local action = ask('textDocument/codeAction', 0, 0, {
    range = { start = { line = 4, character = 40 }, ['end'] = { line = 4, character = 40 } }, context = { diagnostics = {} },
  })[1]
  note('action', action.title)
  vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
  wait('after the correction', function(all) return #all == 0 end)

  -- The columns after the smile count its two units of UTF-16.
  vim.api.nvim_buf_set_lines(buffer, 2, 2, true, { '  <!-- 😀 --><state id="ajar"><transition event="close" target="" cond="In(\'open\')"/></state>' })
  wait('an empty target', function(all) return #all > 0 end)
  local offered = {}
  for _, item in ipairs(ask('textDocument/completion', 2, 64).items) do
    offered[#offered + 1] = item.label
  end
  note('completion', table.concat(offered, ' '))
  vim.api.nvim_buf_set_text(buffer, 2, 66, 2, 66, { 'closed' })
  note('typed', line(2))
  local place = ask('textDocument/definition', 2, 82)[1].range.start
  note('definition', place.line .. ':' .. place.character)
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', 2, 82, { newName = 'wide' }), 'utf-16')
  note('renamed', line(2))
  note('renamed', line(3))
  wait('a state that is never entered', function(all) return #all == 1 and all[1].code == 'unreachable-state' end)
end)
if not ok then note('failed', err) end
vim.fn.writefile(vim.split(table.concat(results, '\n'), '\n'), os.getenv('RESULTS'))
vim.cmd('qall!')

-- nvim --clean --headless --cmd 'set rtp+=FOLDER' -S nvim-dap.lua: one session with the adapter at $CONFORMANCE_PORT.
local dap = require("dap")
local port = tonumber(vim.env.CONFORMANCE_PORT)

dap.adapters.conformance = { type = "server", host = "127.0.0.1", port = port }
dap.set_log_level("ERROR")

local path = vim.env.CONFORMANCE_PROGRAM
vim.cmd("edit " .. path)
dap.set_breakpoint()

local function quit()
  vim.defer_fn(function() vim.cmd("qa!") end, 500)
end

dap.listeners.after.event_stopped["conformance"] = function(session)
  -- A person continues once the frames and variables are shown.
  local function continue(tries)
    if session.stopped_thread_id and vim.tbl_isempty(session.message_callbacks) then
      dap.continue()
    elseif tries > 0 then
      vim.defer_fn(function() continue(tries - 1) end, 300)
    end
  end
  vim.defer_fn(function() continue(15) end, 300)
end
dap.listeners.after.event_terminated["conformance"] = quit
dap.listeners.after.event_exited["conformance"] = quit
vim.defer_fn(function() vim.cmd("qa!") end, 15000)
dap.run({ type = "conformance", request = "launch", name = "conformance", program = path })

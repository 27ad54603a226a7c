-- The load of script/bench photos: one multipart body with a photo, again and again; nothing is made for each call.
dofile(debug.getinfo(1).source:match("^@(.*/)") .. "figures.lua")

function init(arguments)
    local file = assert(io.open(arguments[2], "rb"))
    wrk.method = "POST"
    wrk.body = file:read("*a")
    wrk.headers["Authorization"] = "Bearer " .. arguments[1]
    wrk.headers["Content-Type"] = "multipart/form-data; boundary=photo-of-script-bench"
    file:close()
end

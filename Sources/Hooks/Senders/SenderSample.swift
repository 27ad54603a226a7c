internal import PinpostCore

/// A file or text that sets a sender up, with the hook's own address in it.
public enum SenderSample: String, Sendable, CaseIterable {
    case curl, sharex, bookmarklet, shortcut, cloudflare, n8n

    /// What stands where nobody has said the token.
    public static let placeholder = "TOKEN"

    /// The sample for a hook at that address.
    public func text(hook url: String, token: String = placeholder) -> String {
        switch self {
        case .curl: Self.curl(url, token)
        case .sharex: Self.shareX(url, token)
        case .bookmarklet: Self.bookmarklet(url, token)
        case .shortcut: Self.shortcut(url, token)
        case .cloudflare: Self.cloudflare(url)
        case .n8n: Self.n8n(url, token)
        }
    }

    private static func curl(_ url: String, _ token: String) -> String {
        """
        # The token in a file keeps it out of the list of processes: auth holds the line of the first command.
        umask 077; echo 'Authorization: Bearer \(token)' > auth
        curl -H @auth -d url=https://example.org/page -d tags=boats,blue \(url)
        curl -H @auth -F image=@photo.heic -F description='At the lake' '\(url)?wait=30'
        curl -H @auth -H 'Title: At the lake' -H 'Filename: photo.jpg' -T photo.jpg \(url)

        """
    }

    /// A custom uploader of ShareX (`.sxcu`).
    private static func shareX(_ url: String, _ token: String) -> String {
        """
        {
          "Version": "17.0.0",
          "Name": "Pinpost",
          "DestinationType": "ImageUploader, FileUploader",
          "RequestMethod": "POST",
          "RequestURL": \(JSONText.quote(url)),
          "Parameters": {
            "wait": "30"
          },
          "Headers": {
            "Authorization": "Bearer \(token)"
          },
          "Body": "MultipartFormData",
          "Arguments": {
            "description": "{filename}"
          },
          "FileFormName": "image",
          "URL": "{json:items[0].pin.url}",
          "ThumbnailURL": "{json:items[0].pin.thumbnail}",
          "DeletionURL": "{json:undo_url}",
          "ErrorMessage": "{json:detail}"
        }

        """
    }

    /// One line to be saved as the address of a bookmark; where a page forbids scripts to call out, a form does it.
    private static func bookmarklet(_ url: String, _ token: String) -> String {
        let script = """
            (()=>{const u=\(JSONText.quote(url)),t='\(token)',
            d={url:location.href,title:document.title,text:String(getSelection()).slice(0,1000)};
            fetch(u,{method:'POST',headers:{'Authorization':'Bearer '+t,'Content-Type':'application/json'},
            body:JSON.stringify(d)}).then(r=>r.ok?alert('Pinpost has it.'):r.json().then(p=>alert(p.detail)))
            .catch(()=>{const f=document.createElement('form');f.method='POST';f.action=u+'/'+t;f.target='_blank';
            for(const k in d){const i=document.createElement('input');i.type='hidden';i.name=k;i.value=d[k];f.append(i)}
            document.body.append(f);f.submit()})})()
            """
        return "javascript:" + script.split(separator: "\n").joined() + "\n"
    }

    /// What to tap in Apple's Shortcuts app.
    private static func shortcut(_ url: String, _ token: String) -> String {
        """
        A shortcut "Pin it" for the share sheet of iPhone and iPad:

        1. New shortcut; (i) > Show in Share Sheet; Share Sheet Types: Images, URLs, Safari web pages, Text.
        2. Action "If": Shortcut Input > has any value > Images.
           a. "Get Contents of URL": \(url)?wait=30
              Method POST; Headers: Authorization = Bearer \(token)
              Request Body: Form; add a File field "image" = Shortcut Input, a Text field "description" = Ask Each Time.
        3. Otherwise:
           a. "Get Contents of URL": \(url)?wait=30
              Method POST; Headers: Authorization = Bearer \(token)
              Request Body: JSON; add a Text field "text" = Shortcut Input.
        4. "Get Dictionary Value": state of Contents of URL, and once more: reason (empty where all is pinned), detail (of
           a refusal). "Show Notification" with the three of them.

        Photos may go as HEIC: they are converted here. Where a shortcut has to send base64, a JSON field "image" takes it,
        with or without line breaks.

        """
    }

    /// An e-mail worker: it hands each mail of a Cloudflare address on as it is.
    private static func cloudflare(_ url: String) -> String {
        """
        // Cloudflare > Email Routing > Email Workers. The secret: npx wrangler secret put PINPOST_TOKEN
        const HOOK = \(JSONText.quote(url));

        export default {
          async email(message, env) {
            const answer = await fetch(HOOK, {
              method: "POST",
              headers: {
                "Authorization": `Bearer ${env.PINPOST_TOKEN}`,
                "Content-Type": "message/rfc822",
                "X-Envelope-From": message.from,
                "X-Envelope-To": message.to,
              },
              body: message.raw,
            });
            // An exception makes the sender's server try again; a rejection goes back to the person at once.
            if (answer.status >= 500 || answer.status === 429) throw new Error(`Pinpost answered ${answer.status}`);
            if (!answer.ok) message.setReject("This address does not take the mail.");
          },
        };

        """
    }

    /// A node to paste into the editor of n8n: it sends the binary field `data` of each item.
    private static func n8n(_ url: String, _ token: String) -> String {
        """
        {
          "nodes": [
            {
              "name": "Pinpost",
              "type": "n8n-nodes-base.httpRequest",
              "typeVersion": 4.2,
              "position": [0, 0],
              "parameters": {
                "method": "POST",
                "url": \(JSONText.quote(url)),
                "sendHeaders": true,
                "headerParameters": {
                  "parameters": [{"name": "Authorization", "value": "Bearer \(token)"}]
                },
                "sendBody": true,
                "contentType": "multipart-form-data",
                "bodyParameters": {
                  "parameters": [
                    {"parameterType": "formBinaryData", "name": "image", "inputDataFieldName": "data"},
                    {"name": "description", "value": "={{ $json.title }}"}
                  ]
                },
                "options": {}
              }
            }
          ],
          "connections": {}
        }

        """
    }
}
